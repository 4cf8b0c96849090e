// @vitest-environment jsdom
// Before the server's capabilities are known, a place leads to what it may not have.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { MainNavigation } from '../../../src/app/shell/main-navigation.tsx'
import { createSync, sync } from '../../../src/sync/client.ts'

beforeAll(() => void createSync(() => Promise.reject(new Error('No engine.'))))
afterEach(cleanup)

const templates = () => screen.queryByRole('link', { name: 'Templates' })

test('templates are offered once the server is known to have them', () => {
  const path = { path: '*', element: <MainNavigation /> }
  render(<RouterProvider router={createMemoryRouter([path])} />)
  expect(sync().capabilities.get()).toBe(undefined)
  expect(screen.getByRole('link', { name: 'Accounts' })).toBeTruthy()
  expect(templates()).toBe(null)
  act(() => sync().capabilities.set('ids,keys,templates'))
  expect(templates()).not.toBe(null)
  act(() => sync().capabilities.set(''))
  expect(templates()).toBe(null)
})
