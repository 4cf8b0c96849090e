// The ports of a page: the real clock, locks, network and channel of a browser.
import { createFetch } from 'ofetch'
import { createSseParser } from './sse.ts'
import { newId } from './new-id.ts'
import type {
  Cancellation,
  Channel,
  Locks,
  Message,
  Network,
  NetworkResponse,
  ServerEvent,
} from '../core/ports.ts'

export const clock = { now: () => Date.now() }
export const random = { id: newId, fraction: () => Math.random() }

/** Web Locks, alone among all tabs and the worker of this origin. */
export const locks: Locks = {
  async withLock(name, { timeoutMs, steal = false }, work) {
    let running: Promise<unknown> | undefined
    const start = async () => {
      const value = work()
      running = value
      return { value: await value }
    }
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), timeoutMs)
    try {
      return await navigator.locks.request(
        name,
        timeoutMs === 0 ? { ifAvailable: true } : { signal: waiting.signal },
        async (lock) => {
          clearTimeout(timer)
          return lock ? await start() : undefined
        },
      )
    } catch (error) {
      if (!isAbort(error)) throw error
      // Somebody stole it while we worked: what we do is safe all the same, so finish it.
      if (running) return { value: (await running) as Awaited<ReturnType<typeof work>> }
      if (!steal) return undefined
      return await navigator.locks.request(name, { steal: true }, start).catch(async (again) => {
        if (!isAbort(again) || !running) throw again
        return { value: (await running) as Awaited<ReturnType<typeof work>> }
      })
    } finally {
      clearTimeout(timer)
    }
  },
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** `fetch` under ofetch, with everything that it would decide by itself turned off. */
export function createNetwork(baseUrl: () => string): Network {
  const request = createFetch({ fetch: globalThis.fetch.bind(globalThis) })
  return {
    onlineHint: () => navigator.onLine,
    // Network Information API, which only some browsers have.
    saveData: () =>
      (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
    async exchange({ method, url, headers, body, timeoutMs: timeout }) {
      const answer = await request.raw(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        baseURL: baseUrl(),
        retry: false,
        ignoreResponseError: true,
        responseType: 'text',
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        // Of our own, since ofetch's timeout ends with the headers and not with the body.
        signal: AbortSignal.timeout(timeout),
      })
      return {
        status: answer.status,
        header: (name) => answer.headers.get(name),
        // With responseType text it is one, whatever the types say.
        text: typeof answer._data === 'string' ? answer._data : '',
      }
    },
    stream: ({ method, url, headers, timeoutMs }, onEvent, cancellation) =>
      streamEvents(
        new Request(baseUrl().replace(/\/$/, '') + url, { ...STREAM_OPTIONS, method, headers }),
        timeoutMs,
        onEvent,
        cancellation,
      ),
  }
}

const STREAM_OPTIONS = { redirect: 'manual', credentials: 'omit', cache: 'no-store' } as const

/** By `fetch`, since EventSource cannot send an Authorization header. */
async function streamEvents(
  request: Request,
  idleTimeoutMs: number,
  onEvent: (event: ServerEvent) => void,
  cancellation: Cancellation,
): Promise<NetworkResponse> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  cancellation.onCancel(abort)
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
    const parse = createSseParser(onEvent)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        resetTimer()
        parse(chunk.value)
      }
    } catch {
      // Connection lost, idle timeout or cancellation: in each case the stream has ended.
    }
    return { status, header, text: '' }
  } finally {
    clearTimeout(timer)
  }
}

export function createChannel(): Channel {
  const open = new BroadcastChannel('cairn')
  return {
    post: (message) => open.postMessage(message),
    subscribe(listener) {
      const hear = (event: MessageEvent<Message>) => listener(event.data)
      open.addEventListener('message', hear)
      return () => open.removeEventListener('message', hear)
    },
  }
}
