// The ports of a page: the real clock, locks, network and channel of a browser.
import { createFetch } from 'ofetch'
import { REPLAY_TAG } from './background.ts'
import { eventReader, type ServerEvent } from './event-stream.ts'
import { newId } from './new-id.ts'
import type { Channel, Locks, Message, Network, NetworkAnswer } from './ports.ts'

export const clock = { now: () => Date.now() }
export const random = { id: newId, fraction: () => Math.random() }

/** Web Locks, alone among all tabs and the worker of this origin. */
export const locks: Locks = {
  async hold(name, { patience, steal = false }, work) {
    let running: Promise<unknown> | undefined
    const start = async () => {
      const value = work()
      running = value
      return { value: await value }
    }
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), patience)
    try {
      return await navigator.locks.request(
        name,
        patience === 0 ? { ifAvailable: true } : { signal: waiting.signal },
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
export function network(baseUrl: () => string): Network {
  const request = createFetch({ fetch: globalThis.fetch.bind(globalThis) })
  return {
    mayBeOnline: () => navigator.onLine,
    // Network Information API, which only some browsers have.
    sparing: () =>
      (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
    async exchange({ method, url, headers, body, timeout }) {
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
    listen: ({ method, url, headers, timeout }, heard, until) =>
      listen(
        new Request(baseUrl().replace(/\/$/, '') + url, { ...OPEN, method, headers }),
        timeout,
        heard,
        until,
      ),
  }
}

const OPEN = { redirect: 'manual', credentials: 'omit', cache: 'no-store' } as const

/** Not by EventSource, which cannot say who is asking. */
async function listen(
  request: Request,
  patience: number,
  heard: (event: ServerEvent) => void,
  until: AbortSignal,
): Promise<NetworkAnswer> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), patience)
  const life = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), patience)
  }
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([silence.signal, until]) })
    const header = (name: string) => answer.headers.get(name)
    const { status, body } = answer
    if (!body || !header('content-type')?.startsWith('text/event-stream'))
      return { status, header, text: await answer.text() }
    const read = eventReader(heard)
    const pieces = body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
        life()
        read(piece.value)
      }
    } catch {
      // Cut, silent for too long, or given up: it has ended, however.
    }
    return { status, header, text: '' }
  } finally {
    clearTimeout(timer)
  }
}

export function channel(): Channel {
  const open = new BroadcastChannel('cairn')
  return {
    post: (message) => open.postMessage(message),
    listen(listener) {
      const hear = (event: MessageEvent<Message>) => listener(event.data)
      open.addEventListener('message', hear)
      return () => open.removeEventListener('message', hear)
    },
  }
}

/**
 * Has the browser call the worker as soon as there is a network, though no tab may be open by then.
 * Does nothing where there is no Background Sync.
 */
export async function askForReplay(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const { sync } = (registration ?? {}) as { sync?: { register(tag: string): Promise<void> } }
  await sync?.register(REPLAY_TAG)
}
