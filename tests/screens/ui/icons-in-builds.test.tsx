// @vitest-environment jsdom
// A build makes icons with our own code: they must be the elements that lucide makes.
import { render } from '@testing-library/react'
import * as pencil from 'lucide-react/icons/pencil'
import type { IconNode } from 'lucide-react'
import { createRef } from 'react'
import { expect, test } from 'vitest'
import createIcon from '../../../src/ui/icon.ts'

// Missing in lucide's types.
const { __iconData: data } = pencil as unknown as { __iconData: { name: string; node: IconNode } }
const Pencil = pencil.default
const Ours = createIcon(data)

test.each([
  {},
  { className: 'size-4 shrink-0' },
  { size: 16, strokeWidth: 1.5 },
  { 'aria-hidden': true },
  { role: 'img', 'aria-label': 'Edit' },
])('an icon with %o is the same element', (props) => {
  const [ours, theirs] = [Ours, Pencil].map((Icon) => {
    const { firstElementChild: icon } = render(<Icon {...props} />).container
    const attributes = [...(icon?.attributes ?? [])].map(({ name, value }) => [name, value.trim()])
    return { attributes: Object.fromEntries(attributes), shapes: icon?.innerHTML }
  })
  expect(ours).toEqual(theirs)
})

test('an icon takes a ref', () => {
  const ref = createRef<SVGSVGElement>()
  render(<Ours ref={ref} />)
  expect(ref.current?.tagName).toBe('svg')
})
