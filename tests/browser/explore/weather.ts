// The network of a device, which changes between the steps of an exploration.
import type { Fault, FaultProxy } from '../fixtures/fault-proxy.ts'

export const WEATHERS = [
  'fine',
  'slow',
  'lost',
  'answers lost',
  'overloaded',
  'too many requests',
  'portal',
  'down',
] as const

export type WeatherKind = (typeof WEATHERS)[number]

const API = /^\/(api|oauth)\//
const EVERYTHING = /./
const SLOW_MS = 700
const JSON_TYPE = { 'content-type': 'application/json' }

/** The faults of each kind of weather, with the number of requests that they affect. */
const FAULTS: Record<
  Exclude<WeatherKind, 'fine' | 'down'>,
  { path: RegExp; fault: Fault; times?: number }
> = {
  slow: { path: API, fault: { kind: 'slow', delayMs: SLOW_MS } },
  lost: { path: API, fault: { kind: 'lost' }, times: 4 },
  'answers lost': { path: API, fault: { kind: 'answer-lost' }, times: 4 },
  overloaded: {
    path: API,
    fault: { kind: 'answered', status: 503, headers: JSON_TYPE, body: '{"message":"Overloaded."}' },
  },
  'too many requests': {
    path: API,
    fault: {
      kind: 'answered',
      status: 429,
      headers: { ...JSON_TYPE, 'retry-after': '2' },
      body: '{"message":"Too many requests."}',
    },
  },
  portal: {
    path: EVERYTHING,
    fault: {
      kind: 'answered',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Wi-Fi</title><h1>Sign in to the Wi-Fi of this train</h1>',
    },
  },
}

/** Sets the weather of one proxy, and knows since when the device has had no fault. */
export class Weather {
  kind: WeatherKind = 'fine'
  readonly #network: FaultProxy
  #end: (() => void) | undefined
  #fineSince = 0

  constructor(network: FaultProxy) {
    this.#network = network
  }

  async change(to: WeatherKind): Promise<void> {
    if (to === this.kind) return
    this.#end?.()
    this.#end = undefined
    if (this.kind === 'down') await this.#network.goUp()
    if (to === 'down') await this.#network.goDown()
    else if (to !== 'fine') {
      const { path, fault, times } = FAULTS[to]
      this.#end = this.#network.injectFault({ path }, fault, times)
    }
    this.kind = to
    if (to === 'fine') this.#fineSince = Date.now()
  }

  /** Whether there was any fault within the last `spanMs`. */
  wasBadWithin(spanMs: number): boolean {
    return this.kind !== 'fine' || Date.now() - this.#fineSince < spanMs
  }
}
