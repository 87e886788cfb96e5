export const PICTURE_FORMATS = ['svg', 'png', 'pdf'] as const;

export type PictureFormat = (typeof PICTURE_FORMATS)[number];
