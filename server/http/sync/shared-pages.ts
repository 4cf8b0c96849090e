// Pages of changes are the same for all members, so each is read, serialised and compressed once for simultaneous and
// later requests. The memory for them is limited.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { compressPart, GzipFile, joinParts, storePart, type GzipPart } from './gzip-parts.ts'

/** For all pages of this process together. */
const MAX_BYTES = 16 * 1024 * 1024
/** What is kept of a page besides its content: a device may ask for the page after each of a million versions. */
const PAGE_BYTES = 2 * 1024

/** What of a page tells where the next one begins. */
interface Page {
  version: number
  more: boolean
}

/** Kept compressed only, in a tenth of the memory, so that the pages of large organisations fit. */
export interface SharedPage extends Page {
  /** As an event `page` of an event stream. */
  event: GzipPart
  json: GzipPart
}

/** Pages by organisation and cursor. An organisation has pages of one version only: those of another are dropped. */
export class SharedPages {
  readonly #organisations = new Map<
    string,
    { version: number; pages: Map<number, Promise<SharedPage>> }
  >()
  /** What is kept, the longest unused first. */
  readonly #kept = new Map<Promise<SharedPage>, { bytes: number; drop: () => void }>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The page after `since` at that version; `make` is called where none is kept. Rejects as `make` does. */
  find(
    organisation_id: string,
    version: number,
    since: number,
    make: () => Promise<Page>,
  ): Promise<SharedPage> {
    const known = this.#organisations.get(organisation_id)
    // A request that began before the last write gets a page of its own, which is not kept.
    if (known && known.version > version) return serialise(make)
    if (known && known.version < version) this.#dropOrganisation(organisation_id)
    const { pages } = this.#organisations.get(organisation_id) ?? { pages: new Map() }
    this.#organisations.set(organisation_id, { version, pages })
    const found = pages.get(since)
    if (found) {
      this.#touch(found)
      return found
    }
    const making = serialise(make)
    pages.set(since, making)
    const drop = () => {
      pages.delete(since)
      if (pages.size === 0 && this.#organisations.get(organisation_id)?.pages === pages)
        this.#organisations.delete(organisation_id)
    }
    making.then(
      ({ event }) =>
        pages.get(since) === making &&
        this.#keep(making, PAGE_BYTES + event.blocks.byteLength, drop),
      drop,
    )
    return making
  }

  #keep(page: Promise<SharedPage>, bytes: number, drop: () => void): void {
    this.#kept.set(page, { bytes, drop })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #touch(page: Promise<SharedPage>): void {
    const kept = this.#kept.get(page)
    if (!kept) return
    this.#kept.delete(page)
    this.#kept.set(page, kept)
  }

  #drop(page: Promise<SharedPage>): void {
    const kept = this.#kept.get(page)
    this.#kept.delete(page)
    this.#bytes -= kept?.bytes ?? 0
    kept?.drop()
  }

  #dropOrganisation(organisation_id: string): void {
    const pages = this.#organisations.get(organisation_id)?.pages
    this.#organisations.delete(organisation_id)
    for (const page of pages?.values() ?? []) this.#drop(page)
    pages?.clear()
  }
}

const decompress = promisify(gunzip)
const BEFORE_JSON = storePart('event: page\ndata: ')
const AFTER_JSON = storePart('\n\n')

async function serialise(make: () => Promise<Page>): Promise<SharedPage> {
  const page = await make()
  const json = await compressPart(JSON.stringify(page))
  const event = joinParts(BEFORE_JSON, json, AFTER_JSON)
  // The blocks of the JSON are a view of those of the event, so that they take no memory of their own.
  const blocks = event.blocks.subarray(BEFORE_JSON.blocks.length, -AFTER_JSON.blocks.length)
  return { version: page.version, more: page.more, event, json: { ...json, blocks } }
}

/** Whether the device accepts gzip. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  /\bgzip\b/.test(acceptEncoding ?? '')

/** The answer with that page, compressed for devices that accept it. */
export async function answerPage(
  { json }: SharedPage,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const file = new GzipFile()
  const bytes = Buffer.concat([file.begin(), file.add(json), file.end()])
  const useGzip = acceptsGzip(acceptEncoding)
  const body = useGzip ? bytes : await decompress(bytes)
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.byteLength),
      Vary: 'Accept, Accept-Encoding',
      ...(useGzip && { 'Content-Encoding': 'gzip' }),
    },
  })
}
