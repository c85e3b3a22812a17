"""The scenarios of `make torture`: everything around Enfilade breaks, and nothing acknowledged is lost.

Each module is one scenario with its controls; `__main__` lists them.
"""
