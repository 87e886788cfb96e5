import type { ProbeId } from './probe-report';

export type ServerKind = 'nginx' | 'Apache' | 'XRootD' | 'S3';

/** Lines of a server's configuration. */
export interface Remedy {
  server: ServerKind;
  /** The file or section for the lines. */
  place: string;
  lines: string[];
  /** A limitation of this server. */
  note?: string | undefined;
}

const EXPOSE = 'Content-Range, Content-Length, ETag, Accept-Ranges';

/** Configuration lines for missing features, for each server; the one that `first` names comes first. */
export function remediesFor(
  missing: readonly ProbeId[],
  first: ServerKind | undefined,
  origin: string | undefined,
): Remedy[] {
  const lacks = (...ids: ProbeId[]): boolean => ids.some((id) => missing.includes(id));
  const all = [nginx(lacks), apache(lacks), xrootd(lacks, origin), s3(lacks)].filter(
    ({ lines, note }) => lines.length > 0 || note !== undefined,
  );
  return all.sort((a, b) => Number(b.server === first) - Number(a.server === first));
}

type Lacks = (...ids: ProbeId[]) => boolean;

function nginx(lacks: Lacks): Remedy {
  const lines: string[] = [];
  if (lacks('cors', 'headers', 'preflight')) {
    lines.push('add_header Access-Control-Allow-Origin "*" always;');
    lines.push(`add_header Access-Control-Expose-Headers "${EXPOSE}" always;`);
    lines.push('add_header Access-Control-Allow-Headers "Range, Authorization" always;');
    lines.push('add_header Timing-Allow-Origin "*" always;');
  }
  if (lacks('preflight')) lines.push('if ($request_method = OPTIONS) { return 204; }');
  if (lacks('ranges', 'many-ranges')) lines.push('max_ranges 256;');
  if (lacks('ranges', 'encoding')) lines.push('gzip off;');
  if (lacks('validators')) lines.push('etag on;');
  if (lacks('protocol')) lines.push('# in the server block, with TLS: listen 443 ssl http2;');
  return { server: 'nginx', place: 'in the location block of the files', lines };
}

function apache(lacks: Lacks): Remedy {
  const lines: string[] = [];
  if (lacks('cors', 'headers', 'preflight')) {
    lines.push('# a2enmod headers');
    lines.push('Header always set Access-Control-Allow-Origin "*"');
    lines.push(`Header always set Access-Control-Expose-Headers "${EXPOSE}"`);
    lines.push('Header always set Access-Control-Allow-Headers "Range, Authorization"');
    lines.push('Header always set Timing-Allow-Origin "*"');
  }
  if (lacks('many-ranges', 'ranges')) lines.push('MaxRanges 256');
  if (lacks('encoding', 'ranges')) lines.push('SetEnv no-gzip 1');
  if (lacks('validators')) lines.push('FileETag MTime Size');
  if (lacks('protocol'))
    lines.push('# a2enmod http2, and in the virtual host, with TLS: Protocols h2 http/1.1');
  return { server: 'Apache', place: 'in the <Directory> of the files', lines };
}

function xrootd(lacks: Lacks, origin: string | undefined): Remedy {
  const lines: string[] = [];
  if (lacks('cors')) {
    lines.push('# releases with the CORS plugin');
    lines.push('http.cors libXrdHttpCors.so');
    lines.push(`cors.origin ${origin ?? 'https://PAGE.EXAMPLE.ORG'}`);
  }
  if (lacks('headers')) {
    lines.push('# from 5.8 on');
    lines.push(`http.staticheader -verb=GET Access-Control-Expose-Headers ${EXPOSE.replace(/\s/g, '')}`);
  }
  const never = [
    lacks('preflight') && 'It answers no preflight',
    lacks('protocol') && 'It speaks HTTP/1.1 only',
    lacks('validators') && 'It sends no ETag',
  ].filter((text) => text !== false);
  const note = never.length > 0 ? `${never.join('. ')}; nginx in front of it can.` : undefined;
  return {
    server: 'XRootD',
    place: 'in the configuration file of xrootd, for its protocol http',
    lines,
    note,
  };
}

function s3(lacks: Lacks): Remedy {
  const lines: string[] = [];
  if (lacks('cors', 'headers', 'preflight')) {
    const rule = {
      AllowedOrigins: ['*'],
      AllowedMethods: ['GET', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: EXPOSE.split(', '),
      MaxAgeSeconds: 3600,
    };
    const rules = JSON.stringify({ CORSRules: [rule] });
    lines.push(`aws s3api put-bucket-cors --bucket BUCKET --cors-configuration '${rules}'`);
  }
  if (lacks('encoding')) {
    lines.push(
      'aws s3 cp s3://BUCKET/FILE s3://BUCKET/FILE --metadata-directive REPLACE --content-encoding ""',
    );
  }
  const note = lacks('many-ranges') ? 'S3 answers one range a request.' : undefined;
  return { server: 'S3', place: 'in a shell', lines, note };
}
