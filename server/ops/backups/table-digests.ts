// Compares two databases without holding either in memory: rows and a digest for each table, in any order of rows.
import { sha256 } from '../../hash.ts'

/** By table: how many rows, and the sum of their SHA-256 hashes modulo 2^256. */
export type TableDigests = Map<string, { rows: number; sum: bigint }>

/** Adds one line of a backup, `table<TAB>row as JSON`; ignores its header and its end. */
export function addLine(digests: TableDigests, line: string): void {
  const at = line.indexOf('\t')
  const table = line.slice(0, at)
  if (at < 0 || table === 'end') return
  const { rows, sum } = digests.get(table) ?? { rows: 0, sum: 0n }
  const hash = BigInt(`0x${sha256(line.trimEnd()).toString('hex')}`)
  digests.set(table, { rows: rows + 1, sum: BigInt.asUintN(256, sum + hash) })
}

/** The first difference in words; undefined when all tables are equal. */
export function findDifference(expected: TableDigests, restored: TableDigests): string | undefined {
  for (const table of new Set([...expected.keys(), ...restored.keys()])) {
    const { rows = 0, sum = 0n } = expected.get(table) ?? {}
    const other = restored.get(table) ?? { rows: 0, sum: 0n }
    if (rows !== other.rows) return `${table} has ${other.rows} rows instead of ${rows}.`
    if (sum !== other.sum) return `the rows of ${table} differ.`
  }
  return undefined
}
