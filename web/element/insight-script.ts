/// <reference path="./inlined.d.ts" />
export { default as insightScript } from '../../workers/xylem-insight.worker?worker&inline&text';
