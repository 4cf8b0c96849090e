// A disk that loses power: of what was written and not yet flushed, any page may be there or not.
import {
  cpSync,
  fstatSync,
  openSync,
  readdirSync,
  closeSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { FsyncFs } from '../../server/durable-files.ts'

/** What a disk writes at once; half of a page of the database. */
const PAGE = 4_096

interface Stream {
  nfd: number
  position: number
}
interface Operations {
  fsync: (stream: Stream) => number
  write: (
    stream: Stream,
    buffer: Int8Array,
    offset: number,
    length: number,
    position?: number,
  ) => number
}

/** A page as it was when it was last known to be on the disk; what lies beyond the end is not there. */
type Pages = Map<number, Buffer>

/** Numbers from 0 to 1, the same for the same seed. */
export function seededRng(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export class FailingDisk extends FsyncFs {
  /** Called before each flush: a moment at which the power may fail. */
  beforeFlush = () => {}
  readonly #folder: string
  readonly #honoursFlush: boolean
  readonly #unflushed = new Map<number, Pages>()

  /** A disk that does not keep its word says that it flushed, and has not. */
  constructor(folder: string, keepsItsWord = true) {
    super(folder)
    this.#folder = folder
    this.#honoursFlush = keepsItsWord
  }

  override async init(...parameters: Parameters<FsyncFs['init']>) {
    const { emscriptenOpts } = await super.init(...parameters)
    const watch = (module: unknown) => {
      const { stream_ops: operations } = (module as { NODEFS: { stream_ops: Operations } }).NODEFS
      const { fsync, write } = operations
      operations.fsync = (stream) => {
        this.beforeFlush()
        const result = fsync(stream)
        if (this.#honoursFlush) this.#unflushed.delete(fstatSync(stream.nfd).ino)
        return result
      }
      operations.write = (stream, buffer, offset, length, position) => {
        this.#remember(stream.nfd, position ?? stream.position, length)
        return write(stream, buffer, offset, length, position)
      }
    }
    const preRun = [...((emscriptenOpts.preRun ?? []) as ((module: unknown) => void)[]), watch]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } as typeof emscriptenOpts }
  }

  #remember(written: number, position: number, length: number): void {
    const { ino } = fstatSync(written)
    const pages: Pages = this.#unflushed.get(ino) ?? new Map<number, Buffer>()
    this.#unflushed.set(ino, pages)
    // What is open for writing alone is opened once more.
    const file = openSync(`/proc/self/fd/${written}`, 'r')
    for (let page = Math.floor(position / PAGE); page * PAGE < position + length; page += 1) {
      if (pages.has(page)) continue
      const before = Buffer.alloc(PAGE)
      pages.set(page, before.subarray(0, readSync(file, before, 0, PAGE, page * PAGE)))
    }
    closeSync(file)
  }

  /** What is found in `target` after the power failed now: each unflushed page there or not, by chance. */
  cutPower(target: string, chance: () => number): void {
    cpSync(this.#folder, target, { recursive: true })
    for (const entry of readdirSync(this.#folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const pages = this.#unflushed.get(statSync(path).ino)
      if (!pages) continue
      const file = openSync(join(target, path.slice(this.#folder.length)), 'r+')
      for (const [page, before] of pages)
        if (chance() < 0.5) {
          const lost = Buffer.alloc(PAGE)
          before.copy(lost)
          writeSync(file, lost, 0, PAGE, page * PAGE)
        }
      closeSync(file)
    }
  }
}
