"""The shell command `enfilade`: main.py has the commands of the server, the other files one topic each."""
