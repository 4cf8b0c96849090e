// The load generator reports figures that are wrong, or misses a lost update.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usageOf } from '../../../bench/server/usage.ts'
import { runLoad } from '../../../bench/load/load.ts'
import { Durations, parseLoadArguments, percentile } from '../../../bench/load/statistics.ts'
import { longTest } from '../../long-test.ts'

test('a percentile is the smallest value that the share does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100])
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
})

test('the report has rate and percentiles of each call', () => {
  const durations = new Durations()
  for (const ms of [10, 20, 30, 40]) durations.add('post update', ms)
  expect(durations.report(2)).toContain('| post update | 4 | 2.0 /s | 20 ms | 40 ms | 40 ms |')
})

test('the processor time of a process has that of its children that have ended', async () => {
  const child = 'while (process.cpuUsage().user < 500_000);'
  const parent = `
    require('node:child_process').execFileSync(process.execPath, ['-e', '${child}'])
    console.log('The child has ended.')
    setInterval(() => undefined, 60_000)`
  const { pid = 0, stdout } = spawn(process.execPath, ['-e', parent])
  try {
    await once(stdout, 'data')
    expect((await usageOf(pid)).seconds).toBeGreaterThanOrEqual(0.5)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})

test('arguments out of bounds are rejected in one line', () => {
  const parse = (line: string) => parseLoadArguments(line.split(' '))
  expect(parse('--devices 20 --organisations 2 --minutes 0.1 --embedded')).toEqual({
    devices: 20,
    organisations: 2,
    minutes: 0.1,
    embedded: true,
    plans: 100,
    memoryMb: undefined,
  })
  expect(parse('--plans 20000 --memory 512')).toMatchObject({ plans: 20_000, memoryMb: 512 })
  expect(() => parse('--devices 10001')).toThrow('--devices is a whole number from 1 to 10000.')
  expect(() => parse('--devices 2 --organisations 3')).toThrow('--organisations is')
  expect(() => parse('--minutes 0')).toThrow('--minutes is')
  expect(() => parse('--plans 0')).toThrow('--plans is')
  expect(() => parse('--memory 0.5')).toThrow('--memory is')
})

longTest('twenty devices lose no update', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-load-'))
  try {
    const given = { devices: 20, organisations: 2, minutes: 0.2, embedded: true, plans: 100 }
    const result = await runLoad(given, folder)
    expect(result.wrong, result.report).toEqual([])
    expect(result.confirmed, result.report).toBeGreaterThan(0)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
