export { Help } from './help';
export { Palette } from './palette';
