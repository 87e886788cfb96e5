/// <reference path="../../../../element/inlined.d.ts" />
// One script for page and element, which is loaded when a selector is first written: see scripts/build.mjs.
import boxScript from './box.worker?worker&inline&text';

export { createEditor } from './editor';
export { boxScript };
