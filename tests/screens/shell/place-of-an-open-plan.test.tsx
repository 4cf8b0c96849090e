// @vitest-environment jsdom
// On the page of a plan no place was marked as the current one, unlike on that of an account.
import 'fake-indexeddb/auto'
import { cleanup, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { MainNavigation } from '../../../src/app/shell/main-navigation.tsx'
import { createSync } from '../../../src/sync/client.ts'

beforeAll(() => void createSync(() => Promise.reject(new Error('No engine.'))))
afterEach(cleanup)

test.each([
  ['/success-plans', '/success-plans'],
  ['/success-plans/P-1', '/success-plans'],
  ['/success-plans/new', '/success-plans/new'],
  ['/accounts/A-1', '/accounts'],
])('at %s the current place is %s', (path, place) => {
  const route = { path: '*', element: <MainNavigation /> }
  const router = createMemoryRouter([route], { initialEntries: [path] })
  const { container } = render(<RouterProvider router={router} />)
  const current = [...container.querySelectorAll('[aria-current=page]')]
  expect(current.map((link) => link.getAttribute('href'))).toEqual([place])
})
