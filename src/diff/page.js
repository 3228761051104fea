/* Folds, and filters by level and text. Without it the page has all the same content. */
(function () {
	"use strict";

	const tools = document.getElementById("tools");
	const boxes = Array.from(tools.querySelectorAll("input[type=checkbox]"));
	const search = tools.querySelector("input[type=search]");
	const output = tools.querySelector("output");
	const known = new Map();

	/* In the order of the document: each is known before what is below it. */
	const objects = Array.from(document.querySelectorAll(".object"), (element) => {
		const own = element.querySelector(":scope > .below > .own");
		const object = {
			element,
			parent: known.get(element.parentElement.closest(".object")),
			level: element.dataset.level,
			text: (element.firstElementChild.textContent + " " +
				(own ? own.textContent : "")).toLowerCase(),
			counts: own !== null,
		};

		known.set(element, object);
		return object;
	});
	const all = objects.filter((object) => object.counts).length;

	function filter() {
		const levels = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
		const words = search.value.toLowerCase().split(/\s+/);
		let count = 0;

		for (const object of objects) {
			object.own = object.counts && levels.has(object.level) &&
				words.every((word) => object.text.includes(word));
			object.shown = object.own;
			count += object.own;
		}
		for (let i = objects.length - 1; i >= 0; i--)
			if (objects[i].shown && objects[i].parent)
				objects[i].parent.shown = true;
		for (const object of objects) {
			object.element.hidden = !object.shown;
			object.element.classList.toggle("way", !object.own);
		}
		output.textContent = count + " of " + all + " shown";
	}

	function fold(open) {
		for (const details of document.querySelectorAll("main details"))
			details.open = open;
	}

	for (const box of boxes)
		box.parentElement.hidden = !objects.some((object) => object.level === box.value);
	tools.addEventListener("input", filter);
	tools.addEventListener("submit", (event) => event.preventDefault());
	document.getElementById("fold").addEventListener("click", () => fold(false));
	document.getElementById("unfold").addEventListener("click", () => fold(true));
	tools.hidden = objects.length === 0;
	filter();
})();
