// Compression dictionaries (RFC 9842): a browser that has a chunk of an earlier build downloads only what
// differs. An update replaces the folder of the app, so what was served is kept in a folder of its own.
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { sha256 } from '../../hash.ts'
import { errorFields, log } from '../../log.ts'

/**
 * How many contents of one chunk are kept. A browser offers the one that it stored last, so an older
 * one is needed only by devices that missed the updates after it.
 */
const KEPT = 8
/** Chunks are in a folder named after the build; the worker's list is named after its content. */
const CHUNK = /^\/assets\/build-\w+\/(.+\.js)$/
const WORKER_FILES = /^\/assets\/worker-files-[\w-]+\.js$/
/** Starts a dictionary-compressed stream, before the hash of the dictionary (RFC 9842, 5). */
const MAGIC = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])
const compress = promisify(zstdCompress)

export interface Dictionary {
  /** In hex. */
  hash: string
  bytes: Buffer
}

/** Contents of the app's files, this build's and earlier ones', as dictionaries for the same files. */
export class Dictionaries {
  readonly #folder: string

  /** @param folder Where contents are kept; made when needed. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Keeps the files of a build. Where that fails, updates cost more, and it is logged. */
  async keep(dist: string): Promise<void> {
    try {
      // A build without them has nothing to keep.
      const files = await readdir(join(dist, 'assets'), { recursive: true }).catch(() => [])
      for (const file of files) await this.#keepFile(dist, `/assets/${file}`)
    } catch (error) {
      log('error', 'the app’s files are not kept as dictionaries', errorFields(error))
    }
  }

  async #keepFile(dist: string, name: string): Promise<void> {
    const place = placeOf(name)
    if (place === undefined) return
    const bytes = await readFile(join(dist, name))
    const path = join(this.#folder, place, hexOf(bytes))
    const kept = await stat(path).catch(() => undefined)
    // Otherwise it was cut off by a crash.
    if (kept?.size === bytes.length) return await utimes(path, new Date(), new Date())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { mode: 0o600 })
    await deleteOldest(dirname(path))
  }

  /**
   * The dictionary that a request offers for a file; undefined where it offers none, or one that is not
   * kept, or one of another file.
   *
   * @param name The path of the file.
   */
  async find(name: string, { headers }: Request): Promise<Dictionary | undefined> {
    const [, hash] =
      /^:([A-Za-z0-9+/]{43}=):$/.exec(headers.get('Available-Dictionary') ?? '') ?? []
    const place = placeOf(name)
    if (hash === undefined || place === undefined) return undefined
    const hex = Buffer.from(hash, 'base64').toString('hex')
    const bytes = await readFile(join(this.#folder, place, hex)).catch(() => undefined)
    return bytes && hexOf(bytes) === hex ? { hash: hex, bytes } : undefined
  }
}

/** The value of `Use-As-Dictionary` for a file; undefined if it is none. */
export function dictionaryPattern(name: string): string | undefined {
  if (WORKER_FILES.test(name)) return 'match="/assets/worker-files-*.js"'
  const [, chunk] = CHUNK.exec(name) ?? []
  return chunk && `match="/assets/build-*/${chunk}"`
}

/** Where the contents of a file are kept, which all builds share; undefined if they are not. */
function placeOf(name: string): string | undefined {
  if (WORKER_FILES.test(name)) return 'worker-files'
  const [, chunk] = CHUNK.exec(name) ?? []
  return chunk && `build/${chunk}`
}

/** The content in the encoding `dcz`. */
export const compressWith = async (
  dictionary: Dictionary,
  bytes: Buffer,
): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat([
    MAGIC,
    Buffer.from(dictionary.hash, 'hex'),
    await compress(bytes, {
      dictionary: dictionary.bytes,
      params: { [constants.ZSTD_c_compressionLevel]: 19 },
    }),
  ])

const hexOf = (bytes: Buffer) => sha256(bytes).toString('hex')

async function deleteOldest(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= KEPT) return
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  const old = files.toSorted((a, b) => b.at - a.at).slice(KEPT)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
