/**
 * A Python with ROOT, uproot and pyarrow, named by the environment. Tests that ask another reader
 * are skipped where there is none.
 */
export const oraclePython = process.env.ORACLE_PYTHON;
