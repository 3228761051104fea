"""What happens in the run with a given number: decided by the seed and that number alone."""

import copy
import random

import kinds
import outside

KILLED, STOPPED, DELAYED = 0.30, 0.15, 0.20
LARGE, IMAGES = 0.05, 0.06
CACHES = {"shared": 90, "fresh": 7, "none": 3}
CONDITIONS = dict(zip(outside.CONDITIONS, [40, 20, 15, 15, 10]))


def _one(chance, weights):
    return chance.choices(list(weights), list(weights.values()))[0]


class Plan:
    def __init__(self, seed, number, cases, images):
        chance = random.Random(f"{seed} {number}")
        self.seed, self.number, self.chance = seed, number, chance
        large = [one for one in cases if one.is_large]
        small = [one for one in cases if not one.is_large]
        place = chance.random()
        if images and (place < IMAGES or not cases):
            self.subject, self.kind = chance.choice(images), _one(chance, kinds.OF_IMAGES)
        else:
            some = large if large and (place < IMAGES + LARGE or not small) else small
            self.subject = chance.choice(some)
            self.kind = _one(chance, kinds.of_case(self.subject))
        self._conditions(chance)
        self.kill = self._kill(chance) if chance.random() < KILLED else None

    def _conditions(self, chance):
        self.condition = _one(chance, CONDITIONS)
        self.cache = _one(chance, CACHES)
        if self.subject.options[0] == "--image" or self.kind is kinds.pack_and_rerun:
            self.cache = "shared" if self.cache == "none" else self.cache  # these are kept there
        slow = self.subject.is_large
        self.stops = chance.random() < STOPPED and not slow and self.subject.may_be_stopped
        self.delays = chance.randrange(1, 2**64) if chance.random() < DELAYED and not slow else 0

    def _kill(self, chance):
        """Early moments are as likely as late ones on a scale of orders of magnitude, or on a plain one."""
        part = chance.random() * 1.2 if chance.random() < 0.5 else 10 ** chance.uniform(-3, 0)
        target = "stet" if chance.random() < 0.6 else "inside"
        return {"target": target, "signal": chance.choice(outside.ENDING), "part": part, "step": chance.choice([0, 0, 1, 2])}

    def undisturbed(self):
        other = copy.copy(self)
        other.stops, other.delays, other.kill = False, 0, None
        return other

    def words(self):
        words = [f"run {self.number}: {self.kind.__name__} of {self.subject.name}, {self.condition}, {self.cache} cache"]
        if self.delays:
            words.append(f"delays {self.delays}")
        if self.stops:
            words.append("processes stopped")
        if self.kill:
            kill = self.kill
            words.append(f"{kill['signal'].name} to {kill['target']} at {kill['part']:.3f} of step {kill['step']}")
        return ", ".join(words)
