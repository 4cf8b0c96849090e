// Small pages of changes were kept without a limit of their number, and each of a hundred bytes kept 64 KiB in memory.
import { expect, test } from 'vitest'
import { SharedPages } from '../../../server/http/sync/shared-pages.ts'

const page = { version: 1_000, more: false }
const ORGANISATION = '01900000-0000-7000-8000-000000000001'

test('what is kept of a small page takes no more memory than is counted', async () => {
  const pages = new SharedPages(8 * 1024)
  const made: number[] = []
  const find = (since: number) =>
    pages.find(ORGANISATION, page.version, since, async () => {
      made.push(since)
      return page
    })
  const { event, json } = await find(0)
  expect(event.blocks.buffer.byteLength).toBe(event.blocks.byteLength)
  expect(json.blocks.buffer).toBe(event.blocks.buffer)
  for (const since of [1, 2, 3]) await find(since)
  made.length = 0
  await find(3)
  expect(made).toEqual([])
  await find(0)
  expect(made).toEqual([0])
})
