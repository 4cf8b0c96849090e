// The files of one build in a cache of their own. The cache of the previous build stays: a tab that still
// runs it may request a lazy chunk that the server does not have any more.
import { fnv1a } from '../contract/text/fnv.ts'

/** A file of the build: its path without the leading slash, and its integrity (SHA-256). */
export interface ShellFile {
  url: string
  integrity: string
}

const CACHE_PREFIX = 'cairn-shell-'
/**
 * Entry of a cache with the time of its activation, so that a build that never ran is not the previous
 * one.
 */
const LAST_USED_KEY = '/used'
const PAGE = '/index.html'
/** The folder of a build's chunks. Chunks name each other within it, so it is all that differs. */
const BUILD_FOLDER = /^\/assets\/build-\w+\//

/** Stores the files of a build and answers from them. */
export class Shell {
  readonly #files: ReadonlyMap<string, string>
  readonly #cacheName: string

  constructor(files: readonly ShellFile[]) {
    this.#files = new Map(files.map(({ url, integrity }) => [`/${url}`, integrity]))
    this.#cacheName = CACHE_PREFIX + fnv1a(JSON.stringify(files)).toString(36)
  }

  /**
   * Stores all files: those that another build on this device has as well are copied, the others
   * requested one after another. Rejects when one is missing or is not what the build had; what is stored
   * stays for the next attempt.
   */
  async install(): Promise<void> {
    const cache = await caches.open(this.#cacheName)
    const known = await this.#filesOfOthers()
    for (const [path, integrity] of this.#files) {
      if (await cache.match(path)) continue
      // The page is never copied: its headers hold the server's policy.
      const copies = path === PAGE ? [] : (known.get(withoutBuild(path)) ?? [])
      await cache.put(
        path,
        (await sameFile(copies, integrity)) ?? (await download(path, integrity)),
      )
    }
  }

  /**
   * Deletes the caches of all builds but this one and the previous one. With `keepsUnused` those of builds that never
   * ran stay as well: one of them is being installed, or waits.
   */
  async deleteOldBuilds(keepsUnused = false): Promise<void> {
    const used = await Promise.all(
      (await this.#others()).map(async (name) => {
        const lastUsed = await (await caches.open(name)).match(LAST_USED_KEY)
        return { name, at: lastUsed ? Number(await lastUsed.text()) : 0 }
      }),
    )
    const previous = used.toSorted((a, b) => b.at - a.at)[0]
    for (const { name, at: usedAt } of used)
      if (usedAt === 0 ? !keepsUnused : name !== previous?.name) await caches.delete(name)
    // The clock may have been ahead when an earlier build was activated.
    const at = Math.max(Date.now(), ...used.map((other) => other.at + 1))
    await (await caches.open(this.#cacheName)).put(LAST_USED_KEY, new Response(String(at)))
  }

  /** Whether the build has that path. */
  has = (path: string): boolean => this.#files.has(path)

  /** The stored file; the server's, should the browser have deleted it. */
  async serve(path: string): Promise<Response> {
    return (await (await caches.open(this.#cacheName)).match(path)) ?? fetch(path)
  }

  page = (): Promise<Response> => this.serve(PAGE)

  async #others(): Promise<string[]> {
    return (await caches.keys()).filter(
      (name) => name.startsWith(CACHE_PREFIX) && name !== this.#cacheName,
    )
  }

  /** What the caches of other builds hold under each path. */
  async #filesOfOthers(): Promise<Map<string, Copy[]>> {
    const found = new Map<string, Copy[]>()
    for (const name of await this.#others()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const path = withoutBuild(new URL(request.url).pathname)
        found.set(path, [...(found.get(path) ?? []), { cache, request }])
      }
    }
    return found
  }
}

interface Copy {
  cache: Cache
  request: Request
}

const withoutBuild = (path: string) => path.replace(BUILD_FOLDER, '/assets/build/')

/** The first copy with that content, as a response of no address: modules resolve imports by theirs. */
async function sameFile(copies: readonly Copy[], integrity: string): Promise<Response | undefined> {
  for (const { cache, request } of copies) {
    const response = await cache.match(request)
    const bytes = await response?.arrayBuffer()
    if (!response || !bytes) continue
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    if (integrity === `sha256-${btoa(String.fromCharCode(...hash))}`)
      return new Response(bytes, { headers: response.headers })
  }
  return undefined
}

/** Requests a file. Rejects when the answer is not that file, such as the page of a captive portal. */
async function download(path: string, integrity: string): Promise<Response> {
  // The paths below `assets` have one content for ever.
  const cache = path.startsWith('/assets/') ? 'default' : 'reload'
  const response = await fetch(path, { integrity, cache, credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`)
  // A navigation must not be answered with a response that was redirected.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response
}
