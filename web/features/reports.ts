// One entry for each feature with verbs that the page shows by their reports. Entries load code only when it is used.
// export const ID: PageVerbs = { … };
export {};
