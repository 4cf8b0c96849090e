// The event stream of the model server: announces the organisation's version when it has changed.
import type { ModelServer } from '../model-server.ts'
import { errorResponse, type ServerAnswer } from '../model-tenant.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'
import type { StreamRequest } from '../simulated-network.ts'

/** Streams are closed after that time, as a proxy does. */
const LIFE_MS = 300_000

/**
 * Reads the events of an organisation until the stream ends; a lost connection is noticed at the next
 * event or after `request.timeoutMs`.
 */
export function openStream(
  world: SimulatedEnvironment,
  server: ModelServer,
  owner: SimulatedProcess,
  { request, onEvent, signal, isOpen }: StreamRequest,
): Promise<ServerAnswer> {
  const { promise, resolve } = Promise.withResolvers<ServerAnswer>()
  const later = (delay: number, run: () => void) => void world.schedule(delay, run, owner)
  const tenant = server.tenants.get(request.headers['X-organisation'] ?? '')
  if (server.settings.has_events !== true || !tenant) {
    later(50, () => resolve(errorResponse(404, 'There are no events.')))
    return promise
  }
  if (server.tokens.userOf(request.headers.Authorization, world.now) === undefined) {
    later(50, () => resolve(errorResponse(401, 'Unauthenticated.')))
    return promise
  }
  let announced: number | undefined
  const publish = () => {
    const { version } = tenant
    if (version === announced || !isOpen()) return
    announced = version
    const event = { type: 'version', data: JSON.stringify({ version }) }
    later(world.rng.numberBetween(5, 120), () => {
      if (!signal.cancelled) onEvent(event)
    })
  }
  const end = () => {
    server.listeners.delete(publish)
    const headers = { 'content-type': 'text/event-stream' }
    resolve({ status: 200, headers, text: '' })
  }
  server.listeners.add(publish)
  publish()
  signal.onCancel(end)
  const watch = () => {
    if (!isOpen() || signal.cancelled) return end()
    return later(request.timeoutMs, watch)
  }
  later(request.timeoutMs, watch)
  later(LIFE_MS, end)
  return promise
}
