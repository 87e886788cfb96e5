import { type Options, valued } from '../../options';

export const samplesOption = {
  samples: valued(
    'FILE',
    'samples of files with their cross sections: {"samples": [{"name": "dy", "files": ["dy*.root"], "crossSection": 6077}]}; ' +
      'then the files may be left out',
  ),
} as const satisfies Options;
