// The engine's ports in a browser: clock, randomness, Web Locks, fetch and BroadcastChannel.
import { createFetch } from 'ofetch'
import { mayLeave } from '../core/arrival/attempt.ts'
import { createSseParser } from './sse.ts'
import { newId } from './new-id.ts'
import type {
  CancelSignal,
  Channel,
  Locks,
  Message,
  Network,
  NetworkResponse,
  ServerEvent,
  Store,
} from '../core/ports.ts'

/** The device's clock. */
export const clock = { now: () => Date.now() }
/** UUIDs of version 7, and Math.random. */
export const random = { id: newId, fraction: () => Math.random() }

/** Requests that wait for a lock. */
const waiting = new Set<AbortController>()
/** Resolves when the page runs again; undefined while it does. */
let frozen: PromiseWithResolvers<void> | undefined

/** Web Locks: exclusive among all tabs and the service worker of this origin. */
export const locks: Locks = {
  async withLock(name, { timeoutMs, steal = false }, work) {
    if (frozen) await frozen.promise
    let running: Promise<unknown> | undefined
    const start = async () => {
      const value = work()
      running = value
      return { value: await value }
    }
    const request = new AbortController()
    const timer = setTimeout(() => request.abort(), timeoutMs)
    waiting.add(request)
    const endWaiting = () => {
      clearTimeout(timer)
      waiting.delete(request)
    }
    try {
      return await navigator.locks.request(name, { signal: request.signal }, async () => {
        endWaiting()
        return await start()
      })
    } catch (error) {
      if (!isAbort(error)) throw error
      // The lock was stolen while the work ran: it is safe to finish, so wait for it.
      if (running) return { value: (await running) as Awaited<ReturnType<typeof work>> }
      if (frozen) return await locks.withLock(name, { timeoutMs, steal }, work)
      if (!steal) return undefined
      return await navigator.locks
        .request(name, { steal: true }, start)
        .catch(async (error: unknown) => {
          if (!isAbort(error) || !running) throw error
          return { value: (await running) as Awaited<ReturnType<typeof work>> }
        })
    } finally {
      endWaiting()
    }
  },
}

/**
 * Ends the waiting for locks until `thawLocks`, for a page that the browser freezes: Chromium grants a lock
 * also to a page in the back/forward cache, which then keeps it from all others.
 */
export function freezeLocks(): void {
  frozen ??= Promise.withResolvers()
  for (const request of waiting) request.abort()
}

/** Requests the locks again that were waited for. */
export function thawLocks(): void {
  frozen?.resolve()
  frozen = undefined
}

/** The locks of a page: Web Locks, or leases in `store` where there are none (a page without HTTPS). */
export function createLocks(store: Store): Locks {
  if ('locks' in navigator) return locks
  let leases: Promise<Locks> | undefined
  return {
    async withLock(...given) {
      leases ??= import('./lease-locks.ts').then(
        ({ createLeaseLocks }) => createLeaseLocks(store),
        (error: unknown) => {
          leases = undefined
          throw error
        },
      )
      return await (await leases).withLock(...given)
    },
  }
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/**
 * Requests by ofetch without its retries, redirects, parsing and errors. `baseUrl` is asked for each
 * request, once `configured` has resolved.
 */
export function createNetwork(baseUrl: () => string, configured?: () => Promise<void>): Network {
  const request = createFetch({ fetch: globalThis.fetch.bind(globalThis) })
  return {
    onlineHint: () => navigator.onLine,
    // Network Information API, which only some browsers have.
    saveData: () =>
      (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
    async exchange(asked) {
      await configured?.()
      if (!mayLeave(Date.now(), asked)) throw new Error()
      const { method, url, headers, body, timeoutMs } = asked
      const response = await request.raw(baseUrl().replace(/\/$/, '') + url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        retry: false,
        ignoreResponseError: true,
        responseType: 'arrayBuffer',
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        // ofetch's own timeout does not cover the body.
        signal: AbortSignal.timeout(timeoutMs),
      })
      return {
        status: response.status,
        header: (name) => response.headers.get(name),
        // An ArrayBuffer, or nothing; its type does not tell.
        text: decode(response._data, response.headers.get('content-type')),
      }
    },
    async answers(path) {
      const url = new URL(baseUrl().replace(/\/$/, '') + path, location.href)
      if (url.origin === location.origin) return false
      const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
      // Without CORS any answer resolves, and nothing of it can be read.
      const options = { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal } as const
      return await fetch(url, { ...options, method: 'HEAD' }).then(
        () => true,
        () => false,
      )
    },
    stream: ({ method, url, headers, timeoutMs }, onEvent, signal) =>
      streamEvents(
        new Request(baseUrl().replace(/\/$/, '') + url, { ...STREAM_OPTIONS, method, headers }),
        timeoutMs,
        onEvent,
        signal,
      ),
  }
}

/** The text of a body, in UTF-8 unless its type names another character set: old servers have such. */
function decode(body: unknown, type: string | null): string {
  if (!(body instanceof ArrayBuffer)) return ''
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(type ?? '') ?? []
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // There is no such set.
    return new TextDecoder().decode(body)
  }
}

const ANSWER_TIMEOUT_MS = 20_000
const STREAM_OPTIONS = { redirect: 'manual', credentials: 'omit', cache: 'no-store' } as const

/** By `fetch`, since EventSource cannot send an Authorization header. */
async function streamEvents(
  request: Request,
  idleTimeoutMs: number,
  onEvent: (event: ServerEvent) => void | Promise<void>,
  signal: CancelSignal,
): Promise<NetworkResponse> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal.onCancel(abort)
  let timer = setTimeout(abort, idleTimeoutMs)
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(abort, idleTimeoutMs)
  }
  try {
    const response = await fetch(request, { signal: controller.signal })
    const header = (name: string) => response.headers.get(name)
    const { status, body } = response
    if (!body || !header('content-type')?.startsWith('text/event-stream'))
      return { status, header, text: await response.text() }
    let taken = Promise.resolve()
    const parse = createSseParser((event) => {
      taken = Promise.resolve(onEvent(event))
    })
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        parse(chunk.value)
        clearTimeout(timer)
        await taken
        resetTimer()
      }
    } catch {
      // Connection lost, idle timeout or cancellation: in each case the stream has ended.
    }
    return { status, header, text: '' }
  } finally {
    clearTimeout(timer)
  }
}

/** The channel of all contexts of this origin. Its name is shared with other builds. */
export function createChannel(): Channel {
  const channel = new BroadcastChannel('cairn')
  return {
    post: (message) => channel.postMessage(message),
    subscribe(listener) {
      const receive = (event: MessageEvent<Message>) => listener(event.data)
      channel.addEventListener('message', receive)
      return () => channel.removeEventListener('message', receive)
    },
  }
}
