// @vitest-environment jsdom
// A link to a record beside its list is opened on a phone, where there is only the list.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { OpenedRecord } from '../../../src/ui/list/opened-record.tsx'

afterEach(cleanup)

function openLink(isWide: boolean) {
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const list = (
    <>
      <p>The accounts</p>
      <OpenedRecord path="/accounts" />
    </>
  )
  render(
    <MemoryRouter initialEntries={['/accounts?open=harbour']}>
      <Routes>
        <Route path="/accounts" element={list} />
        <Route path="/accounts/harbour" element={<p>Harbour</p>} />
      </Routes>
    </MemoryRouter>,
  )
}

test('the link leads to the page of the record where there is no room beside the list', async () => {
  openLink(false)
  expect(await screen.findByText('Harbour')).toBeTruthy()
})

test('the link stays at the list where there is room', () => {
  openLink(true)
  screen.getByText('The accounts')
  expect(screen.queryByText('Harbour')).toBeNull()
})
