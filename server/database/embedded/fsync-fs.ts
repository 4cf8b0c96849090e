// PGlite's file system for Node never calls fsync, so committed rows can be lost in a power cut, and lets
// every user of the machine read its files. This one passes every fsync of the database on to the disk and
// counts them, and keeps the files to their owner.
import { fdatasyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { OTHERS } from '../data-dir-permissions.ts'

type Start = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** The part of Emscripten's NODEFS that is patched; its typings leave it out. */
interface NodeFsModule {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd: number }) => number }
    node_ops: { setattr: (node: unknown, attributes: { mode?: number }) => void }
  }
}

/** PGlite's Node file system with a working fsync and private files. */
export class FsyncFs extends NodeFS {
  /** Number of fsync calls so far. */
  fsyncCount = 0

  override async init(pg: PGlite, start: Start): Promise<{ emscriptenOpts: Start }> {
    const { emscriptenOpts } = await super.init(pg, start)
    const patch = (module: unknown) => {
      const { stream_ops, node_ops } = (module as NodeFsModule).NODEFS
      const { setattr } = node_ops
      // Each file that is created gets its rights again, regardless of the process's umask.
      node_ops.setattr = (node, { mode, ...others }) =>
        setattr(node, { ...others, ...(mode !== undefined && { mode: mode & ~OTHERS }) })
      stream_ops.fsync = ({ nfd }) => {
        fdatasyncSync(nfd)
        this.fsyncCount += 1
        return 0
      }
    }
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), patch] },
    }
  }
}
