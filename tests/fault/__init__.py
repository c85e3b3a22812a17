"""The ordeals of `make torture`: everything around Enfilade breaks, and nothing acknowledged is lost.

Each module is one ordeal with its controls; `__main__` lists them.
"""
