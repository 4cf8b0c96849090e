// What comes into the app from outside of its window, and how often it asks to be installed.
import { expect, test } from 'vitest'
import { countNeedingAttention } from '../../src/app/installed-app.ts'
import { countPlan, dismissCard } from '../../src/features/installing/card-memory.ts'
import {
  sharedText,
  appendSharedText,
} from '../../src/features/success-plans/shared/shared-text.ts'
import { operationWith } from './operations.ts'

const shared = (params: Record<string, string>) => sharedText(new URLSearchParams(params))

test.each([
  [{ share_text: 'Words' }, 'Words'],
  [{ share_title: 'Minutes', share_text: 'We agreed.' }, 'Minutes\n\nWe agreed.'],
  [
    { share_text: 'See https://a.example', share_url: 'https://a.example' },
    'See https://a.example',
  ],
  [{ share_title: 'A page', share_url: 'https://a.example' }, 'A page\n\nhttps://a.example'],
  [{ share_title: 'Twice', share_text: 'Twice' }, 'Twice'],
  [{ share_text: '   ' }, ''],
])('of %j nothing is lost, and nothing said twice', (params, text) => {
  expect(shared(params)).toBe(text)
})

test('what was half written stays, and what is shared twice is there once', () => {
  const draft = JSON.stringify({ body: 'Half a', progress: 40 })
  const after = appendSharedText(draft, 'Shared')
  expect(JSON.parse(after)).toEqual({ body: 'Half a\n\nShared', progress: 40 })
  expect(appendSharedText(after, 'Shared')).toBe(after)
  expect(JSON.parse(appendSharedText(undefined, 'Shared'))).toEqual({ body: 'Shared' })
  expect(JSON.parse(appendSharedText('{broken', 'Shared'))).toEqual({ body: 'Shared' })
})

test('the icon counts what needs its user, and nothing of anybody else', () => {
  const operations = [
    operationWith({ user_id: 'ada', state: 'attention' }),
    operationWith({ user_id: 'ada', state: 'pending' }),
    operationWith({ user_id: 'ben', state: 'attention' }),
  ]
  expect(countNeedingAttention(operations, 'ada')).toBe(1)
  expect(countNeedingAttention(operations, undefined)).toBe(0)
})

test('the offer comes with the second plan, and not again once it was dismissed', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage
  expect(countPlan('a', storage)).toBe(false)
  expect(countPlan('a', storage)).toBe(false)
  expect(countPlan('b', storage)).toBe(true)
  expect(countPlan('b', storage)).toBe(true)
  dismissCard(storage)
  expect(countPlan('c', storage)).toBe(false)
})
