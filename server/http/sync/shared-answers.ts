// Answers that are the same for many requests: made, serialised and compressed once, for requests at the same time
// and for later ones, within a bounded memory.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Of all answers of this process together. */
const MAX_BYTES = 16 * 1024 * 1024
/** Smaller bodies are not compressed: as Hono's own middleware. */
const MIN_COMPRESSED_BYTES = 1024

/** Kept in one form: compressed it takes a tenth of the memory, so that the pages of large organisations fit. */
interface SharedAnswer {
  bytes: Buffer
  isGzipped: boolean
}

/** Answers by scope and key. A scope has answers of one state only: those of another state are dropped. */
export class SharedAnswers {
  readonly #scopes = new Map<
    string,
    { state: number; answers: Map<string, Promise<SharedAnswer>> }
  >()
  /** What is kept, the longest unused first. */
  readonly #kept = new Map<Promise<SharedAnswer>, { bytes: number; drop: () => void }>()
  #bytes = 0

  /** The answer of that key in that state of the scope; `make` is called where there is none. Rejects as it does. */
  async respond(
    scope: string,
    state: number,
    key: string,
    make: () => Promise<unknown>,
    acceptEncoding: string | undefined,
  ): Promise<Response> {
    const { bytes, isGzipped } = await this.#find(scope, state, key, make)
    const useGzip = isGzipped && /\bgzip\b/.test(acceptEncoding ?? '')
    const body = isGzipped && !useGzip ? await decompress(bytes) : bytes
    return new Response(new Uint8Array(body), {
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(body.byteLength),
        Vary: 'Accept-Encoding',
        ...(useGzip && { 'Content-Encoding': 'gzip' }),
      },
    })
  }

  #find(
    scope: string,
    state: number,
    key: string,
    make: () => Promise<unknown>,
  ): Promise<SharedAnswer> {
    const known = this.#scopes.get(scope)
    // A request that began before the last write is answered for itself.
    if (known && known.state > state) return serialise(make)
    if (known && known.state < state) this.#dropScope(scope)
    const { answers } = this.#scopes.get(scope) ?? { answers: new Map() }
    this.#scopes.set(scope, { state, answers })
    const found = answers.get(key)
    if (found) {
      this.#touch(found)
      return found
    }
    const making = serialise(make)
    answers.set(key, making)
    const drop = () => {
      answers.delete(key)
      if (answers.size === 0 && this.#scopes.get(scope)?.answers === answers)
        this.#scopes.delete(scope)
    }
    making.then(
      (answer) => answers.get(key) === making && this.#keep(making, answer.bytes.byteLength, drop),
      drop,
    )
    return making
  }

  #keep(answer: Promise<SharedAnswer>, bytes: number, drop: () => void): void {
    this.#kept.set(answer, { bytes, drop })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break
      this.#drop(oldest)
    }
  }

  #touch(answer: Promise<SharedAnswer>): void {
    const kept = this.#kept.get(answer)
    if (!kept) return
    this.#kept.delete(answer)
    this.#kept.set(answer, kept)
  }

  #drop(answer: Promise<SharedAnswer>): void {
    const kept = this.#kept.get(answer)
    this.#kept.delete(answer)
    this.#bytes -= kept?.bytes ?? 0
    kept?.drop()
  }

  #dropScope(scope: string): void {
    const answers = this.#scopes.get(scope)?.answers
    this.#scopes.delete(scope)
    for (const answer of answers?.values() ?? []) this.#drop(answer)
    answers?.clear()
  }
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

async function serialise(make: () => Promise<unknown>): Promise<SharedAnswer> {
  const json = Buffer.from(JSON.stringify(await make()))
  if (json.byteLength < MIN_COMPRESSED_BYTES) return { bytes: json, isGzipped: false }
  return { bytes: await compress(json), isGzipped: true }
}
