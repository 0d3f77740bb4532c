"""What a rejection looks like: the type admits a string without a dot."""

from nacre_types import *


def major(version: lang(r'[0-9]+(\.[0-9]+)?')):
    return version[:version.index('.')]
