// A picture that the page makes small opens by itself, in its own size.
document.addEventListener("click", function (event) {
  if (event.target.matches('.content img[src*="_images"]')) {
    window.location.href = event.target.src;
  }
});

// Commands are wrapped between words, never inside of one, where a hyphen would end a line.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".highlight-sh pre").forEach(function (block) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(function (text) {
      const parts = text.data.split(/(\s+)/).map(function (word) {
        if (!word.includes("-") || word.length > 40) return word;
        const whole = document.createElement("span");
        whole.className = "whole";
        whole.textContent = word;
        return whole;
      });
      text.replaceWith(...parts);
    });
  });
});
