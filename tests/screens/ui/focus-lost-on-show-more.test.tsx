// @vitest-environment jsdom
// The button that shows the rest of a list disappeared when it was pressed, and the focus went to the top of the page:
// all rows had to be tabbed through once more.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { ShowMore } from '../../../src/ui/list/show-more.tsx'

afterEach(cleanup)

function Names() {
  const [all, setAll] = useState(false)
  const names = ['Ada', 'Ben', 'Cai', 'Dan']
  return (
    <>
      <ul>
        {names.slice(0, all ? 4 : 2).map((name) => (
          <li key={name}>
            <a href={`/${name}`}>{name}</a>
          </li>
        ))}
      </ul>
      {!all && <ShowMore onShow={() => setAll(true)}>Show 2 more</ShowMore>}
    </>
  )
}

test('the first row that is shown in addition gets the focus', async () => {
  render(<Names />)
  await userEvent.click(screen.getByRole('button', { name: 'Show 2 more' }))
  expect(document.activeElement?.textContent).toBe('Cai')
})
