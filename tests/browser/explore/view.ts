// The accessible tree of a page, as far as a user can operate it now.
import type { Locator, Page } from 'playwright-core'

/** A node of the tree, as Playwright reports it. */
interface TreeNode {
  role: string
  name?: string
  ref?: string
  url?: string
  disabled?: boolean
  checked?: boolean | 'mixed'
  selected?: boolean
  children?: (TreeNode | string)[]
}

/** Something that can be operated. */
export interface Control {
  /** The same in each replay: role and name, without times. */
  key: string
  role: string
  name: string
  ref: string
  url: string | undefined
  options: string[]
  /** Whether it is in an open dialog or menu. */
  isOnTop: boolean
  /** From the root; two controls of one form share the start. */
  path: TreeNode[]
}

export interface View {
  url: URL
  controls: Control[]
  /** The name of the open dialog; undefined without one. */
  dialog: string | undefined
}

const ROLES = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'option',
  'menuitem',
  'menuitemradio',
  'textbox',
  'searchbox',
  'combobox',
  'slider',
])
const TIMES = /\d{1,2}:\d{2}|\d+ (second|minute)s? ago/g

const isNode = (child: TreeNode | string): child is TreeNode => typeof child !== 'string'
const find = (node: TreeNode, role: RegExp): TreeNode | undefined =>
  role.test(node.role)
    ? node
    : node.children
        ?.filter(isNode)
        .reduce<TreeNode | undefined>((found, one) => found ?? find(one, role), undefined)

/**
 * Reads the tree. Controls that are inert have no name in it; under an open menu or dialog only its own
 * controls count.
 */
export async function readView(page: Page): Promise<View> {
  const roots = (await page.ariaSnapshotJSON({ mode: 'ai' })) as (TreeNode | string)[]
  const root: TreeNode = { role: 'root', children: roots }
  const dialog = find(root, /dialog$/)
  const top = find(root, /^menu$/) ?? dialog
  const controls: Control[] = []
  const counts = new Map<string, number>()
  const visit = (node: TreeNode, path: TreeNode[]) => {
    const { role, name = '', ref, url, children = [] } = node
    const inner = [...path, node]
    if (ROLES.has(role) && name !== '' && ref !== undefined && node.disabled !== true) {
      const base = `${role} “${name.replaceAll(TIMES, '')}”`
      const count = (counts.get(base) ?? 0) + 1
      counts.set(base, count)
      const options = children.filter(isNode).filter((one) => one.role === 'option')
      controls.push({
        key: count === 1 ? base : `${base} (${count})`,
        role,
        name,
        ref,
        url,
        path,
        options: options.map((one) => one.name ?? ''),
        isOnTop: top !== undefined && inner.includes(top),
      })
    }
    for (const child of children.filter(isNode)) visit(child, inner)
  }
  visit(root, [])
  const isToast = ({ path }: Control) => path.some(({ name }) => name === 'Notifications')
  return {
    url: new URL(page.url()),
    controls: top ? controls.filter((one) => one.isOnTop || isToast(one)) : controls,
    dialog: dialog && (headingOf(dialog) ?? dialog.name ?? 'dialog'),
  }
}

const headingOf = (node: TreeNode) => find(node, /^heading$/)?.name

/** The element of a control of the last view. */
export const locate = (page: Page, { ref }: Control): Locator => page.getByRef(ref)

/** The other controls of the form that `submit` belongs to: of the nearest level that has a text field. */
export function fieldsBeside(submit: Control, controls: readonly Control[]): Control[] {
  const FIELDS = /^(textbox|combobox|slider|radio)$/
  for (const level of submit.path.toReversed()) {
    const within = controls.filter(({ path, role }) => FIELDS.test(role) && path.includes(level))
    if (within.some(({ role }) => role === 'textbox')) return within
    if (/^(dialog|alertdialog|main)$/.test(level.role)) return within
  }
  return []
}
