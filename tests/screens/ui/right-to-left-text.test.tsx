// @vitest-environment jsdom
// Hebrew and Arabic were shown from left to right: full stops in front, bullets on the wrong side.
import { readdirSync, readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { PlanRow } from '../../../src/features/success-plans/list/plan-row.tsx'
import { TextAreaField, TextField } from '../../../src/ui/form/field.tsx'
import { PageHeading } from '../../../src/ui/page-heading.tsx'
import { RichText } from '../../../src/ui/text/rich-text.tsx'
import { planWith } from '../fixtures/record-fixtures.ts'

afterEach(cleanup)

const TITLE = 'תוכנית הצלחה'

test('each paragraph, list and piece of code of a text has the direction of its words', () => {
  const text = 'שלום.\n\nHello.\n\n- אחת\n- שתיים\n\n1. אחת\n\n```\nקוד\n```'
  const { container } = render(<RichText text={text} />)
  const blocks = [...(container.firstElementChild?.children ?? [])]
  expect(blocks.map(({ localName }) => localName)).toEqual(['p', 'p', 'ul', 'ol', 'pre'])
  for (const block of blocks) expect(block.getAttribute('dir')).toBe('auto')
})

test('fields of words have the direction of what is typed, those of addresses and dates have not', () => {
  render(
    <>
      <TextField label="text" />
      <TextField label="search" type="search" />
      <TextAreaField label="description" />
      {['date', 'email', 'number', 'password', 'tel', 'url'].map((type) => (
        <TextField key={type} label={type} type={type} />
      ))}
    </>,
  )
  const directed = screen.getAllByLabelText(/^/).filter((one) => one.getAttribute('dir') === 'auto')
  expect(directed.map((one) => (one as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'text',
    'search',
    'description',
  ])
})

test('a title has the direction of its words, as a heading and in a row', () => {
  const day = '2026-03-02'
  render(
    <MemoryRouter>
      <PageHeading title={TITLE} />
      <PlanRow
        plan={planWith({ title: TITLE })}
        account={undefined}
        today={day}
        now={Date.parse(day)}
        pending={undefined}
        rows={undefined}
      />
    </MemoryRouter>,
  )
  const titles = screen.getAllByText(TITLE)
  expect(titles.map((one) => one.getAttribute('dir'))).toEqual(['auto', 'auto'])
})

test('no text that keeps its line breaks has the direction of the app', () => {
  const openingTag = /<\w+(?:(?!<)[^>])*whitespace-pre-wrap(?:(?!<)[^>])*>/g
  const tags = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => readFileSync(`src/${file}`, 'utf8').match(openingTag) ?? [])
  expect(tags.length).toBeGreaterThan(10)
  expect(tags.filter((tag) => !tag.includes('dir="auto"'))).toEqual([])
})
