"""The catalogues of the web table, one .po file per language; `make messages` keeps them up to date."""
