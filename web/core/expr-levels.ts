/** Levels of an access, numbered as in wasm/src/compute/expr.h. */
export const LEVEL = { list: 0, fixed: 1, optional: 2, rows: 3 } as const;

/** Maximum number of levels, loop dimensions, drivers and slots of a program. */
export const LIMITS = { levels: 8, dims: 5, drivers: 24, slots: 256 } as const;
