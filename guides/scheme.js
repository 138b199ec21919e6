// Runs before the page is painted. The generator would put it into the page itself, which the policy forbids.
{
  const preference = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark', preference === 'auto' ? prefersDark : preference === 'dark');
  document.documentElement.classList.toggle('mac', /Mac|iPhone|iPod|iPad/i.test(navigator.platform));
}
