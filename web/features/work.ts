// One entry for each feature with work that the reader, the library and workers call. Entries load code only when it is used.
