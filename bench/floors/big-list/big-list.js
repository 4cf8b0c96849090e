// The floor of scrolling and of the palette: ten thousand plans in memory, a list that renders only the
// rows near the viewport, and a field that searches them at each key press.
const ROW = 108
const BEYOND = 12
const MOST = { plans: 8, accounts: 4, updates: 4 }

const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

function row(plan, index) {
  const link = element('a')
  link.href = `/success-plans/${plan.id}`
  link.dataset.plan = plan.id
  link.style.top = `${index * ROW}px`
  const facts = [plan.title, plan.account, plan.health, plan.status, plan.end_date]
  link.append(...facts.map((fact) => element('span', fact)), element('span', `${plan.progress} %`))
  const item = element('li')
  item.append(link)
  return item
}

function first(records, most, has) {
  const found = []
  for (const record of records) {
    if (found.length === most) break
    if (has(record)) found.push(record)
  }
  return found
}

async function start() {
  const { plans, accounts, updates } = await (await fetch('/records.json')).json()
  const list = document.querySelector('ul')
  const search = document.querySelector('[type=search]')
  const shown = new Map()
  let left = plans
  const draw = () => {
    const from = Math.max(0, Math.floor(scrollY / ROW) - BEYOND)
    const to = Math.min(left.length, Math.ceil((scrollY + innerHeight) / ROW) + BEYOND)
    for (const [index, item] of shown) {
      if (index >= from && index < to) continue
      item.remove()
      shown.delete(index)
    }
    for (let index = from; index < to; index += 1) {
      if (shown.has(index)) continue
      const item = row(left[index], index)
      shown.set(index, item)
      list.append(item)
    }
  }
  const filter = () => {
    const sought = search.value.trim().toLowerCase()
    const has = (text) => text.toLowerCase().includes(sought)
    left = plans.filter(({ title, account }) => has(title) || has(account))
    for (const item of shown.values()) item.remove()
    shown.clear()
    list.style.height = `${left.length * ROW}px`
    draw()
  }
  addEventListener('scroll', draw, { passive: true })
  search.addEventListener('input', filter)
  filter()

  const dialog = document.querySelector('dialog')
  const line = dialog.querySelector('input')
  const options = dialog.querySelector('div')
  addEventListener('keydown', (event) => {
    if (event.key === 'k' && event.ctrlKey) dialog.showModal()
  })
  line.addEventListener('input', () => {
    const sought = line.value.trim().toLowerCase()
    const has = (text) => text.toLowerCase().includes(sought)
    const found = [
      ...first(plans, MOST.plans, ({ title }) => has(title)).map(({ title }) => title),
      ...first(accounts, MOST.accounts, ({ name }) => has(name)).map(({ name }) => name),
      ...first(updates, MOST.updates, ({ body }) => has(body)).map(({ body }) => body),
    ]
    options.replaceChildren(
      ...found.map((label) => {
        const option = element('div', label)
        option.setAttribute('role', 'option')
        return option
      }),
    )
  })
}

void start()
