// What reaches the app from outside its window, and how often it offers to be installed.
import { expect, test } from 'vitest'
import { countNeedingAttention } from '../../../src/app/boot/installed-app.ts'
import { countPlan, dismissCard } from '../../../src/features/installing/card-memory.ts'
import {
  endsWith,
  sharedText,
} from '../../../src/features/success-plans/share-target/shared-text.ts'
import { operationWith } from '../fixtures/record-fixtures.ts'

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
])('joins title, text and address without repeating any: %j', (params, text) => {
  expect(shared(params)).toBe(text)
})

test.each([
  [{ body: 'Shared' }, true],
  [{ body: 'Half a\n\nShared\n', progress: 40 }, true],
  [{ body: 'Shared, and more' }, false],
  [{ progress: 40 }, false],
  ['broken', false],
])('knows whether the draft %j has the shared text already', (draft, has) => {
  expect(endsWith(JSON.stringify(draft), 'Shared')).toBe(has)
  expect(endsWith('{broken', 'Shared')).toBe(false)
})

test('counts the operations of the current user that need attention', () => {
  const operations = [
    operationWith({ user_id: 'ada', state: 'attention' }),
    operationWith({ user_id: 'ada', state: 'pending' }),
    operationWith({ user_id: 'ben', state: 'attention' }),
  ]
  expect(countNeedingAttention(operations, 'ada')).toBe(1)
  expect(countNeedingAttention(operations, undefined)).toBe(0)
})

test('offers installation at the second plan, and never again after dismissal', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  } as Storage
  expect(countPlan('a', storage)).toBe(false)
  expect(countPlan('a', storage)).toBe(false)
  expect(countPlan('b', storage)).toBe(true)
  expect(countPlan('b', storage)).toBe(true)
  dismissCard(storage)
  expect(countPlan('c', storage)).toBe(false)
})
