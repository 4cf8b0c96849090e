// What was found out about a server: findings by level, and its capabilities.
import { CAPABILITIES, type Capability } from '../contract/capabilities.ts'
import type { EndpointName } from '../contract/endpoints.ts'

/** Each level includes those before it. */
export const LEVELS = ['reads', 'writes', 'writes once', 'merges', 'live', 'everything'] as const
export type Level = (typeof LEVELS)[number]

/** The level that a capability belongs to; of all others it is `everything`. */
const LEVEL_OF: Partial<Record<Capability, Level>> = {
  keys: 'writes once',
  ids: 'writes once',
  versions: 'merges',
  changes: 'live',
  events: 'live',
}
const levelOf = (capability: Capability): Level => LEVEL_OF[capability] ?? 'everything'

/** Something that is not as expected. */
export interface Finding {
  level: Level
  /** The capability that lacks it; none for what the specification expects. */
  capability?: Capability
  /** Method and path. */
  call: string
  /** A field of the body with its record, `status`, or a header. */
  field: string
  /** What was received, shortened. */
  value: string
  expectation: string
}

type LevelState = 'passed' | 'failed' | 'not tried'

/** The report in the form that `--json` writes. */
export interface ReportJson {
  url: string
  /** The highest level passed; null where reading fails already. */
  level: Level | null
  levels: Record<Level, LevelState>
  /** How many checks were made. */
  checks: number
  findings: Finding[]
  /** What is worth knowing, and does not count. */
  notes: string[]
  /** Calls that were not made. */
  notTried: EndpointName[]
  /** The value of `capabilities` in `config.json`. */
  capabilities: string
}

const MAX_VALUE_LENGTH = 120

/** The value as JSON, shortened. */
export function describe(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** What was checked and found, from which the level of the server follows. */
export class Report {
  readonly url: string
  readonly findings: Finding[] = []
  readonly notes: string[] = []
  checks = 0
  readonly #tried = new Set<Level>()
  readonly #capabilities = new Map<Capability, boolean>()
  /** Values that the server names with its capabilities, such as the lifetime of keys. */
  named: ReadonlyMap<string, string> | undefined

  constructor(url: string) {
    this.url = url
  }

  /** Takes the header that names the capabilities; null where an answer has none. */
  takeCapabilities(header: string | null): void {
    if (header === null) return
    const items = header.split(',').map((item): [string, string] => {
      const [name = '', value = ''] = item.trim().split('=')
      return [name.toLowerCase(), value]
    })
    this.named = new Map(items)
  }

  begin(level: Level): void {
    this.#tried.add(level)
  }

  /** Counts a check of the specification, and records a finding unless `ok`. Returns `ok`. */
  check(ok: boolean, level: Level, finding: Omit<Finding, 'level' | 'capability'>): boolean {
    this.checks += 1
    if (!ok) this.findings.push({ level, ...finding })
    return ok
  }

  /**
   * Counts a check of a capability: it is there when all of its checks are `ok`. Returns `ok`.
   */
  checkCapability(
    ok: boolean,
    capability: Capability,
    finding: Omit<Finding, 'level' | 'capability'>,
  ): boolean {
    this.checks += 1
    this.#tried.add(levelOf(capability))
    this.#capabilities.set(capability, ok && this.#capabilities.get(capability) !== false)
    if (!ok) this.findings.push({ level: levelOf(capability), capability, ...finding })
    return ok
  }

  /** Whether it was tried and is there. */
  has(capability: Capability): boolean {
    return this.#capabilities.get(capability) === true
  }

  toJson(notTried: EndpointName[]): ReportJson {
    const levels = Object.fromEntries(LEVELS.map((level) => [level, this.#stateOf(level)]))
    const failed = LEVELS.findIndex((level) => levels[level] !== 'passed')
    return {
      url: this.url,
      level: (failed === -1 ? LEVELS.at(-1) : LEVELS[failed - 1]) ?? null,
      levels: levels as Record<Level, LevelState>,
      checks: this.checks,
      findings: this.findings,
      notes: this.#allNotes(),
      notTried,
      capabilities: this.#line(),
    }
  }

  #stateOf(level: Level): LevelState {
    if (!this.#tried.has(level)) return 'not tried'
    if (level === 'writes once') return this.has('keys') || this.has('ids') ? 'passed' : 'failed'
    const own = allCapabilities.filter((name) => levelOf(name) === level)
    if (own.some((name) => this.#capabilities.get(name) === false)) return 'failed'
    if (own.some((name) => !this.#capabilities.has(name))) return 'not tried'
    return this.findings.some((one) => one.level === level) ? 'failed' : 'passed'
  }

  #line(): string {
    return allCapabilities
      .filter((name) => this.has(name))
      .map((name) => {
        const value = this.named?.get(name)
        return value ? `${name}=${value}` : name
      })
      .join(', ')
  }

  /** All notes, with one for each capability for which the header differs from what was found. */
  #allNotes(): string[] {
    const { named } = this
    if (!named) return this.notes
    return [
      ...this.notes,
      ...allCapabilities.flatMap((name) => {
        const was = this.#capabilities.get(name)
        if (named.has(name) && was === false)
          return [`Cairn-Capabilities names ${name}, which was not found to work.`]
        if (!named.has(name) && was === true)
          return [`Cairn-Capabilities does not name ${name}, so the app does not use it.`]
        return []
      }),
    ]
  }
}

const allCapabilities = Object.keys(CAPABILITIES) as Capability[]
