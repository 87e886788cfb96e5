/// <reference path="./inlined.d.ts" />
export { default as insightScript } from '../../workers/insight.worker?worker&inline&text';
