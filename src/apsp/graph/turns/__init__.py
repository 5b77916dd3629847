"""Movements from link to link: graphs of links, and graphs with forbidden and penalised turns."""
