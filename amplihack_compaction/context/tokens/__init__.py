"""Tokens counted: exact offline, by the API, remembered or estimated.

Text in, a number out, with how far it can be trusted. Only the API counter uses the network.
"""
