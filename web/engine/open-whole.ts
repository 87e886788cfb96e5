import type { FileSource, ReplicatedSource, WholeSource } from '../api/api';
import { nameOfFile } from '../api/sources';
import type { Core } from '../core/core';
import { readStart } from '../core/file-core';
import type { ByteSource } from '../io/source';
import { HEAD_BYTES } from '../model/tail';

/** Makes the source of a file: one of the host, or one that reads from several replicas. Throws ARGUMENT. */
export async function openWhole(
  spec: WholeSource,
  open: (spec: WholeSource) => Promise<ByteSource>,
  core: Core,
): Promise<ByteSource> {
  return spec.kind === 'replicas' ? openReplicas(spec, open, core) : open(spec);
}

/** The source beside which the friends of a file lie. */
export function placeBeside(spec: FileSource): FileSource {
  return (spec.kind === 'replicas' && spec.replicas[0]) || spec;
}

async function openReplicas(
  spec: ReplicatedSource,
  open: (spec: WholeSource) => Promise<ByteSource>,
  core: Core,
): Promise<ByteSource> {
  const { ReplicaSource } = await import('../io/replicas/replica-source');
  const replicas = spec.replicas.map((one) => ({
    name: nameOfFile(one),
    // Another replica is nearer than a server that answers after many tries.
    open: (brief: boolean) => open(brief && one.kind === 'url' ? { ...one, ...{ retries: 0 } } : one),
  }));
  const [first] = spec.replicas;
  return new ReplicaSource(replicas, {
    name: nameOfFile(spec),
    size: spec.size,
    patienceMs: spec.patienceMs,
    blockBytes: first?.kind === 'url' ? first.align : undefined,
    headBytes: HEAD_BYTES,
    async identify(head, size) {
      await core.ready();
      const { uuid, end, modified } = readStart(core, head, size ?? 0).header;
      return { uuid, end, modified };
    },
  });
}
