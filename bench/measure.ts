// Measures everything beside its floor, in the same run and in shuffled order. Only the ratio counts: the
// machine's clock and its other work affect both sides.

export type Side = 'ours' | 'floor'

interface Measure {
  unit: 'ms' | 'kB' | 'MB' | '/s' | '×'
  /** The target of the ratio (ours to floor). */
  goal: { at: 'most' | 'least'; ratio: number }
}

/** The setup of a scenario. */
export interface Place {
  /** For its files; deleted afterwards. */
  folder: string
  /** Registers a cleanup, which also runs after a failure. */
  ends: AsyncDisposableStack
}

/** A prepared scenario, to be measured repeatedly. */
export interface Scenario {
  measures: Record<string, Measure>
  /** Takes one sample of all its measures, by name. */
  sample(side: Side): Promise<Record<string, number>>
  /** Set where every sample is the same: bytes, or a value taken once. */
  exact?: true
  /** Set where samples do not affect one another, as memory of separate processes: all are taken at the same time. */
  sideBySide?: true
}

export interface Result extends Measure {
  name: string
  ours: number
  floor: number
  ratio: number
  /** The 95 % interval of the ratio, by bootstrap. */
  spread: [number, number]
}

const RESAMPLES = 2_000

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

const drawn = (values: readonly number[]) =>
  values.map(() => values[Math.floor(Math.random() * values.length)] ?? NaN)

function bootstrap(ours: readonly number[], floor: readonly number[]): [number, number] {
  const ratios = Array.from(
    { length: RESAMPLES },
    () => median(drawn(ours)) / median(drawn(floor)),
  ).toSorted((a, b) => a - b)
  const at = (share: number) => ratios[Math.floor(share * (RESAMPLES - 1))] ?? NaN
  return [at(0.025), at(0.975)]
}

/** Takes `samples` of each side; one after the other after one warm-up of each, unless the scenario says otherwise. */
export async function measure(scenario: Scenario, samples: number): Promise<Result[]> {
  const taken: Record<Side, Record<string, number>[]> = { ours: [], floor: [] }
  const sides: readonly Side[] = ['ours', 'floor']
  const count = scenario.exact ? 1 : samples
  const take = async (side: Side) => void taken[side].push(await scenario.sample(side))
  const turns = shuffled(Array.from({ length: count }, () => sides).flat())
  if (scenario.sideBySide) await Promise.all(turns.map(take))
  else {
    if (!scenario.exact) for (const side of sides) await scenario.sample(side)
    for (const side of turns) await take(side)
  }
  return Object.entries(scenario.measures).map(([name, about]) => {
    const [ours, floor] = sides.map((side) => taken[side].map((one) => one[name] ?? NaN))
    if (!ours || !floor) throw new Error('Two sides were sampled.')
    const [mid, base] = [median(ours), median(floor)]
    const spread = bootstrap(ours, floor)
    return { name, ...about, ours: mid, floor: base, ratio: mid / base, spread }
  })
}
