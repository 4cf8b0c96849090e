import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuery, writeQuery } from '../../contract/query-string.ts'

test('values are escaped and brackets are kept', () => {
  expect(writeQuery({ filters: { status: ['paused', 'planned'], title: 'R&D' }, page: 2 })).toBe(
    'filters[status][]=paused&filters[status][]=planned&filters[title]=R%26D&page=2',
  )
})

test('null, missing and empty values are omitted; 0 and false are sent', () => {
  expect(writeQuery({ a: null, b: undefined, c: '', d: [], e: {}, f: 0, g: false })).toBe(
    'f=0&g=false',
  )
  expect(writeQuery({ filters: { status: ['', null] } })).toBe('')
})

test('what is written is read back, whatever the characters', () => {
  const plain = fc.mapToConstant({ num: 0x7e, build: (code) => String.fromCodePoint(code) })
  const unit = fc.oneof(plain, fc.constantFrom('é', '語', '🚂', '\u202E', '__proto__'))
  const name = fc.string({ minLength: 1, maxLength: 5, unit }).filter((key) => !/[[\]]/.test(key))
  const value = fc.string({ minLength: 1, maxLength: 5, unit })
  const filters = fc.dictionary(
    name,
    fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })),
    {
      minKeys: 1,
      maxKeys: 4,
      noNullPrototype: true,
    },
  )
  fc.assert(
    fc.property(filters, value, (filters, title) => {
      const read = readQuery(writeQuery({ filters, title }))
      expect(JSON.stringify(read)).toBe(JSON.stringify({ filters, title }))
    }),
  )
})

test('contradictory names are rejected by name', () => {
  const contradictions = ['a=1&a=2', 'a=1&a[b]=2', 'a[b]=1&a[]=2', 'a[]=1&a=2', 'a[b][]=1&a[b]=2']
  for (const query of contradictions) expect(() => readQuery(query), query).toThrow(RangeError)
})

test('unlimited nesting and malformed brackets are rejected', () => {
  for (const query of ['a[b][c][d]=1', '[a]=1', 'a[=1', 'a]=1', 'a[][b]=1', '=1'])
    expect(() => readQuery(query), query).toThrow(RangeError)
})

test('a name like __proto__ is an ordinary name', () => {
  const read = readQuery('__proto__[polluted]=yes&constructor=1')
  expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
