// Names of features that programs import: types, and functions of a few lines without imports. What readers and handles
// take and give is in web/api and web/library.
export * from './selectors/public';
