// One entry for each feature that the page shows. Entries load code only when it is used.
