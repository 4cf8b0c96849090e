// Durations by kind of call, and the arguments of the load generator.
import { parseArgs } from 'node:util'

export interface LoadArguments {
  devices: number
  organisations: number
  minutes: number
  /** On the embedded database instead of PostgreSQL. */
  embedded: boolean
  /** Of each organisation. */
  plans: number
  /** The limit for all processes of the server together, without swap. */
  memoryMb?: number | undefined
}

/** More would measure the generator, which is one process. */
const MAX_DEVICES = 10_000
const MAX_MINUTES = 60
const MAX_PLANS = 20_000

/** The arguments of `npm run load`. Throws a one-line error for what is out of bounds. */
export function parseLoadArguments(args: string[]): LoadArguments {
  const { values } = parseArgs({
    args,
    options: {
      devices: { type: 'string', default: '200' },
      organisations: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '2' },
      embedded: { type: 'boolean', default: false },
      plans: { type: 'string', default: '100' },
      memory: { type: 'string' },
    },
  })
  const devices = Number(values.devices)
  const organisations = Number(values.organisations)
  const minutes = Number(values.minutes)
  const plans = Number(values.plans)
  const memoryMb = values.memory === undefined ? undefined : Number(values.memory)
  if (!Number.isInteger(devices) || devices < 1 || devices > MAX_DEVICES)
    throw new Error(`--devices is a whole number from 1 to ${MAX_DEVICES}.`)
  if (!Number.isInteger(organisations) || organisations < 1 || organisations > devices)
    throw new Error('--organisations is a whole number from 1 to the number of devices.')
  if (!(minutes > 0 && minutes <= MAX_MINUTES))
    throw new Error(`--minutes is a number above 0, at most ${MAX_MINUTES}.`)
  if (!Number.isInteger(plans) || plans < 1 || plans > MAX_PLANS)
    throw new Error(`--plans is a whole number from 1 to ${MAX_PLANS}.`)
  if (memoryMb !== undefined && !(Number.isInteger(memoryMb) && memoryMb > 0))
    throw new Error('--memory is a whole number of megabytes above 0.')
  return { devices, organisations, minutes, embedded: values.embedded, plans, memoryMb }
}

/** The smallest value that at least `share` of the values do not exceed; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN
}

/** Durations in milliseconds and errors, by name. */
export class Durations {
  readonly #values = new Map<string, number[]>()
  readonly errors = new Map<string, number>()

  add(name: string, durationMs: number): void {
    const values = this.#values.get(name) ?? []
    values.push(durationMs)
    this.#values.set(name, values)
  }

  addError(message: string): void {
    this.errors.set(message, (this.errors.get(message) ?? 0) + 1)
  }

  /** A table in Markdown. */
  report(seconds: number): string {
    const rows = [...this.#values].map(([name, values]) => {
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(values, share).toFixed(0))
      const rate = (values.length / seconds).toFixed(1)
      return `| ${name} | ${values.length} | ${rate} /s | ${p50} ms | ${p95} ms | ${p99} ms |`
    })
    return ['| call | count | rate | p50 | p95 | p99 |', '|---|---|---|---|---|---|', ...rows].join(
      '\n',
    )
  }
}
