// Types of features that programs name. What readers and handles take and give is in web/api and web/library.
export type * from './selectors/public';
